;; Computes a kernel over whole columns if all of their numbers are finite. Returns 1, or 0 if one is not.
(module
  (import "kernels" "memory" (memory 1))
  (import "kernels" "countFinite" (func $countFinite (param i32 i32) (result i32)))
  (import "kernels" "kernel" (func $kernel (param i32 i32 i32)))
  ;; The result replaces the first parameter, and so the others stay for the next call.
  (func (export "compute") (param $result i32) (param $frame i32) (param $inputs i32) (param $count i32) (result i32)
    (local $input i32)
    (block $all
      (loop $next
        (br_if $all (i32.ge_u (local.get $input) (local.get $inputs)))
        (call $countFinite
          (i32.load (i32.add (local.get $frame) (i32.shl (local.get $input) (i32.const 2))))
          (local.get $count))
        (local.set $input (i32.add (local.get $input) (i32.const 1)))
        (br_if $next (i32.eq (local.get $count))))
      (return (i32.const 0)))
    (call $kernel (local.get $frame) (i32.const 0) (local.get $count))
    (i32.const 1)))
