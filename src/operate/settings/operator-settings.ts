import { setting } from './setting.js'
import {
  emailAddress,
  flag,
  orWord,
  pathOrStdout,
  recipients,
  smtpAddress,
  webAddress,
} from './setting-formats.js'

/** The settings of what an operator sees of requests, and of e-mail. */
export const operatorSettings = {
  ACCESS_LOG: setting(
    'off',
    orWord('off', pathOrStdout),
    'file to which one line is added for each request, or `stdout`; off writes none. On SIGHUP it is opened again; see [Deploying](monitoring.md#access-log)',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'off',
    orWord('off', webAddress),
    'address to which traces are sent (OTLP over HTTP, as JSON), such as `http://localhost:4318`; off records none. Other `OTEL_` variables mean what OpenTelemetry says; see [Deploying](monitoring.md#traces)',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(
    'off',
    orWord('off', webAddress),
    'the same with its path, such as `http://localhost:4318/v1/traces`',
  ),
  OTEL_SDK_DISABLED: setting('false', flag, 'whether no traces are recorded whatever their address is'),
  SMTP_URL: setting(
    'off',
    orWord('off', smtpAddress),
    'server that sends the e-mail of [alerts](alerts.md#e-mail); off sends none',
    true,
  ),
  SMTP_FROM: setting('off', orWord('off', emailAddress), 'address that this e-mail is from'),
  SMTP_RECIPIENTS: setting(
    '*',
    recipients,
    'addresses, and domains such as `@example.com`, that alerts may send e-mail to, separated by commas; * for all. With *, each holder of a key can send e-mail to anybody in the name of `SMTP_FROM`',
  ),
}
