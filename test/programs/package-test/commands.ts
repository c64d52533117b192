/** What is run in an empty folder that has nothing but the package, in this order. */

export interface Step {
  readonly args: readonly string[]
  /** Exit codes that are right; `doctor` also says what this machine lacks. */
  readonly exits: readonly number[]
  /** In what it prints, on either stream. */
  readonly says: RegExp
  /** Takes minutes. */
  readonly long?: true
}

const step = (line: string, exit: number | readonly number[], says: RegExp): Step => ({
  args: line.split(' '),
  exits: typeof exit === 'number' ? [exit] : exit,
  says,
})

export const steps: readonly Step[] = [
  step('--version', 0, /^\d+\.\d+\.\d+/),
  step('certify --help', 0, /--profile/),
  step('list --coverage', 0, /each operation succeeds/),
  step('check auth.challenge.public', 0, /verdict: conformant/),
  step('check auth.challenge --report --lang pl --out report', 0, /report\/index\.html/),
  step('report --out report', 0, /junit\.xml/),
  step('generate --count 2 --seller 5265877635 --out invoices', 0, /2 documents in invoices/),
  step('lint invoices/fa3-000000.xml', 0, /1 document, 0 errors/),
  step('generate --malformed all --count 1 --out broken', 0, /1 document in broken/),
  step('lint --format sarif broken/fa3-000000.xml', [0, 1], /"version": "2\.1\.0"/),
  step('contract openapi', 0, /"openapi": "3\.1/),
  step('limits identify', 0, /sliding-log/),
  step('plan --invoices 1000', 0, /session/),
  step('mutate transport.health/health-behind-login', 0, /1 killed, 0 survived/),
  step('doctor', 0, /ok +suite/),
  step('no-such-command', 2, /not a command/),
  step('init http://127.0.0.1:9 --file target.json', 3, /nothing accepts connections/),
  step('serve --port 0 --wait 60 --ready-file ready.json', 0, /http:/),
  step('check auth.challenge.public --target ready.json', 0, /verdict: conformant/),
  step('contract diff DESCRIPTION', 0, /0 breaking/),
  step('doctor --target ready.json', 0, /ok +target/),
  step('init SERVED --file target.json', 0, /target\.json/),
  { ...step('certify', [0, 3], /verdict {6}/), long: true },
]
