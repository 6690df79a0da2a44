import { didYouMean, nearNames } from '../../contract/hints.js'

/** Variables of Candela that are no settings of the service. */
const others: readonly string[] = ['CANDELA_PROCESS', 'CANDELA_URL', 'CANDELA_KEY']
/** Settings of earlier releases, and what is to be done instead. */
const removed: Readonly<Record<string, string>> = {
  MCP_ALERTS:
    'the alerts of a language model depend on the scopes of its key. Unset it; "candela keys update <id> --scopes read,stream" takes the alerts away',
}
/** A variable with one of these prefixes is meant for Candela, however far it is from a setting. */
const ownPrefixes: readonly string[] = ['CANDELA_', 'ALERTS_', 'STREAM_']
/** What Kubernetes and Docker set for a service called `candela`: CANDELA_PORT is tcp://10.0.0.1:8080 then. */
const isLink = (name: string, text: string) =>
  /^(tcp|udp|sctp):/.test(text) || /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(name)

/**
 * One line for each variable that is no setting, but is meant as one: it is near a setting of several words, or has a prefix of Candela.
 * A name of one word, such as HOSTS, may be anybody's, and so may a setting behind a prefix, such as GRAFANA_LOG_LEVEL.
 */
export function unknownSettings(
  environment: NodeJS.ProcessEnv,
  settings: readonly string[],
): readonly string[] {
  const ofSeveralWords = settings.filter(name => name.includes('_'))
  return Object.entries(environment).flatMap(([name, text]) => {
    if (!text || settings.includes(name) || others.includes(name)) return []
    const instead = removed[name.replace(/^CANDELA_/, '')]
    if (instead !== undefined) return [`${name} is no setting any more: ${instead}`]
    if (ownPrefixes.some(prefix => name.startsWith(prefix))) {
      if (isLink(name, text)) return []
      const rest = name.replace(/^CANDELA_/, '')
      return line(name, settings.includes(rest) ? [rest] : nearNames(rest, settings))
    }
    if (ofSeveralWords.some(setting => name.endsWith(`_${setting}`))) return []
    const near = nearNames(name, ofSeveralWords)
    return near.length === 0 ? [] : line(name, near)
  })
}

const line = (name: string, near: readonly string[]) => [`${name} is not a setting${didYouMean(near)}`]
