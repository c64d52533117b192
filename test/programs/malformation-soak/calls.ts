import { svc } from '../../../contract/dialects/svc.ts'
import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { drawJsonBody } from '../../../generators/requests/json-body.ts'
import { seedFrom } from '../../../lib/random.ts'
import { seededDraw } from '../../../generators/draw/draw.ts'
import { headerMalformations } from '../../../generators/faults/headers.ts'
import { jsonTexts } from '../../../generators/faults/json-texts.ts'
import { jsonMalformations } from '../../../generators/faults/json.ts'
import type { Client } from '../../../lib/client.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { schemaJudge } from '../../../lib/node/schema.ts'
import { absence, wireOperation } from '../../../lib/wire.ts'
import { formCodes } from '../../../suites/support/checks/forms.ts'
import type { SoakBench } from './bench.ts'
import { complaintAbout, openBench } from './bench.ts'
import { isOurs, tried } from './tried.ts'
import type { SoakOptions, Tried } from './tried.ts'

/** Every class of malformed body and header. */

/** A caller that may call an operation, and the resource in its path. */
async function callerOf(bench: SoakBench, operation: OperationId) {
  const { path, permissions = [] } = endpoint(operation)
  const { bearer } = wireOperation(operation, svc)
  if (bearer !== 'access') return { caller: bench.api, path: {} }
  const special = permissions.length === 1 && permissions[0] === 'VatUeManage'
  const caller = special ? await bench.loginForVatUe() : (await bench.login()).me
  if (operation === 'invoices.submit') {
    const { referenceNumber } = await openOnline(caller, { formCode: formCodes.fa3 })
    return { caller, path: { referenceNumber } }
  }
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return { caller, path: Object.fromEntries(named.map((name) => [name, '0123456789ABCDEF'])) }
}

/** The classes of bodies whose operation the reference serves. */
const served = () =>
  jsonMalformations().filter(({ operation }) => absence(operation, svc) === undefined)

/** Bodies of every operation with one keyword of their schema broken. */
export async function* soakJson(options: SoakOptions): AsyncGenerator<Tried> {
  const { seed, each } = options
  const classes = served().filter((entry, place) => isOurs(options, entry, place))
  if (classes.length === 0) return
  const bench = await openBench(seed)
  const judge = schemaJudge(svc)
  const callers = new Map<OperationId, { caller: Client; path: Record<string, string> }>()
  for (const entry of classes) {
    const { operation } = entry
    const how = callers.get(operation) ?? (await callerOf(bench, operation))
    callers.set(operation, how)
    const counter = tried(entry)
    for (let n = 0; n < each; n++) {
      const own = seedFrom(seed, entry.id, n)
      const good =
        n === 0 ? entry.example : drawJsonBody(entry.schema, entry.example, seededDraw(own))
      const broken = entry.apply(good)
      if (broken === undefined) {
        counter.skip()
        continue
      }
      const [before] = judge.problems(entry.schema, good)
      if (before !== undefined) counter.complain(`seed ${own}: invalid before, ${before}`)
      if (judge.problems(entry.schema, broken.body).length === 0)
        counter.complain(`seed ${own}: valid after, ${JSON.stringify(broken.body)}`)
      bench.news()
      // A text would be sent as it is, and be no JSON at all.
      const body = typeof broken.body === 'string' ? JSON.stringify(broken.body) : broken.body
      const answer = await how.caller.call(operation, { path: how.path, body })
      const complaint = complaintAbout(bench, answer, entry.refusedAs)
      counter.count(
        complaint && `seed ${own}: ${complaint}; ${JSON.stringify(broken.body).slice(0, 400)}`,
      )
    }
    yield counter.done()
  }
  await bench.close()
}

/** JSON texts of the wrong kind, or no JSON at all, in place of the bodies of several operations. */
export async function* soakJsonTexts(options: SoakOptions): AsyncGenerator<Tried> {
  const { seed, each } = options
  const classes = jsonTexts.filter((entry, place) => isOurs(options, entry, place))
  if (classes.length === 0) return
  const bench = await openBench(seed)
  const examples = [
    ...new Map(
      served()
        .filter(({ operation }) => wireOperation(operation, svc).bearer !== 'access')
        .map((entry) => [entry.operation, entry]),
    ).values(),
  ]
  for (const entry of classes) {
    const counter = tried(entry)
    for (let n = 0; n < each; n++) {
      const { operation, schema, example } = examples[n % examples.length]!
      const own = seedFrom(seed, entry.id, n)
      const json = JSON.stringify(drawJsonBody(schema, example, seededDraw(own)))
      const body = entry.write(json)
      bench.news()
      const answer = await bench.api.call(operation, { body })
      const complaint = complaintAbout(bench, answer, entry.refusedAs)
      counter.count(complaint && `${operation}, seed ${own}: ${complaint}; ${body.slice(0, 200)}`)
    }
    yield counter.done()
  }
  await bench.close()
}

/** Headers with one fault, made of the headers of many logins. */
export async function* soakHeaders(options: SoakOptions): AsyncGenerator<Tried> {
  const { seed, each } = options
  const classes = headerMalformations().filter((entry, place) => isOurs(options, entry, place))
  if (classes.length === 0) return
  const bench = await openBench(seed)
  const tokens: string[] = []
  while (tokens.length < each) tokens.push((await bench.login()).accessToken)
  const { api } = bench
  const call = (on: 'protected' | 'json-body', made: Readonly<Record<string, string>>) => {
    const headers = { authorization: made['authorization'], 'content-type': made['content-type'] }
    return on === 'protected'
      ? api.call('limits.context', {
          bearer: null,
          headers: { ...headers, 'content-type': undefined },
        })
      : api.call('queries.metadata', { bearer: null, headers, body: '{}' })
  }
  for (const entry of classes) {
    const counter = tried(entry)
    for (const [n, token] of tokens.entries()) {
      const good = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      bench.news()
      const answer = await call(entry.on, entry.apply(good))
      const complaint = complaintAbout(bench, answer, entry.refusedAs)
      counter.count(complaint && `login ${n}: ${complaint}`)
    }
    const good = { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' }
    if ((await call('protected', good)).status !== 200) counter.complain('good headers are refused')
    yield counter.done()
  }
  await bench.close()
}
