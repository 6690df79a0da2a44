import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { RequestHead as Head } from '../../http/reply.js'
import type { Labels } from '../../runtime/metric.js'

/** Parts of a request's head that its span needs. */
export type RequestHead = Pick<Head, 'method' | 'path' | 'header'>

/** Properties of a reply that its span records. */
export interface Reply {
  readonly route: string
  readonly account: string
  readonly status: number
}

/**
 * The trace context of a request. Work that continues after the reply, such as a feed that the request started, is not
 * part of it.
 */
interface Course {
  readonly context: Context
  isOver: boolean
}

const header: TextMapGetter<RequestHead> = {
  keys: () => ['traceparent', 'tracestate'],
  get: (head, name) => head.header(name) || undefined,
}

const kinds = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const
export type Kind = keyof typeof kinds

export type OpenTracing = ReturnType<typeof openTracing>

/** Opens tracing as configured in the environment, such as OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_TRACES_SAMPLER. */
export function openTracing(version: string, onFault: (message: string) => void) {
  const ignored = () => {}
  diag.setLogger(
    { error: onFault, warn: onFault, info: ignored, debug: ignored, verbose: ignored },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const own = resourceFromAttributes({ 'service.name': 'candela', 'service.version': version })
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('candela', version)
  const propagator = new W3CTraceContextPropagator()
  const courses = new AsyncLocalStorage<Course>()
  const ends = new WeakMap<object, (reply: Reply) => void>()

  const end = (span: Span, course: Course, { route, account, status }: Reply, method: string): void => {
    course.isOver = true
    span.updateName(`${method} ${route}`)
    span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
    if (account !== '') span.setAttribute('candela.account', account)
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }

  return {
    /** Answers a request by `work`. Records until `answered` belong to the request's trace. */
    answer<Result>(request: RequestHead, work: () => Result): Result {
      const method = request.method.toUpperCase()
      const attributes = { 'http.request.method': method, 'url.path': request.path }
      const parent = propagator.extract(ROOT_CONTEXT, request, header)
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent)
      const course = { context: trace.setSpan(parent, span), isOver: false }
      ends.set(request, reply => end(span, course, reply, method))
      return courses.run(course, work)
    },
    answered(request: RequestHead, reply: Reply): void {
      ends.get(request)?.(reply)
      ends.delete(request)
    },
    /** Records a span that ends now and lasted the given number of seconds. */
    record(name: string, kind: Kind, seconds: number, labels: Labels): void {
      const course = courses.getStore()
      const context = course && !course.isOver ? course.context : ROOT_CONTEXT
      const now = Date.now()
      const attributes = Object.fromEntries(
        Object.entries(labels).map(([label, value]) => [`candela.${label}`, value]),
      )
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes, startTime: now - seconds * 1000 },
        context,
      )
      if (labels.outcome === 'failed' || labels.outcome === 'unavailable')
        span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(now)
    },
    close: () => provider.shutdown(),
  }
}
