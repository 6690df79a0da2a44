console.log('candela')
