/**
 * The types of the client describe the JSON of the schemas of replies. A field that only one of them has is an error
 * of the compiler.
 */
import type { z } from 'zod'
import type * as replies from '../../interface/replies.js'
import type {
  AlertMessage,
  AlertTest,
  BreadthResult,
  Candle,
  CreatedAlert,
  DeadLetter,
  Evaluation,
  ExpressionCheck,
  ExpressionResult,
  NamedList,
} from '../../src/client/index.js'

type Element<Value> = Value extends readonly (infer Each)[] ? Each : Value

/** Names of all fields of a value, with those of its inner values behind a dot. */
type Fields<Value> = Value extends string | number | boolean | null | undefined
  ? never
  : Value extends object
    ? {
        [Name in keyof Value & string]: Name | `${Name}.${Fields<Element<NonNullable<Value[Name]>>>}`
      }[keyof Value & string]
    : never

type Described<Schema extends (...given: never) => z.ZodType> = z.input<ReturnType<Schema>>

/** Fields of which a reply has more than its schema, or less. */
type Differences<Reply, Schema extends (...given: never) => z.ZodType> =
  | Exclude<Fields<Required<Reply>>, Fields<Required<Described<Schema>>>>
  | Exclude<Fields<Required<Described<Schema>>>, Fields<Required<Reply>>>

type None<Found extends never> = Found

export type Agreement = None<
  | Differences<ExpressionResult, typeof replies.expressionResult>
  | Differences<ExpressionCheck, typeof replies.expressionCheck>
  | Differences<Candle, typeof replies.candle>
  | Differences<Evaluation, typeof replies.evaluationResult>
  | Differences<NamedList, typeof replies.namedList>
  | Differences<BreadthResult, typeof replies.breadthResult>
  | Differences<AlertTest, typeof replies.alertTest>
  | Differences<AlertMessage, typeof replies.alertMessage>
  | Differences<CreatedAlert, typeof replies.alert>
  | Differences<DeadLetter, typeof replies.deadLetter>
>
