/** The build of a CI server that a run belongs to. */
export interface CiBuild {
  /** Kind of server, as Allure names it for its icon. */
  readonly server: 'github' | 'gitlab' | 'jenkins'
  readonly name: string
  readonly number: number
  /** Page of the build. */
  readonly url: string
  readonly repository?: string
  readonly branch?: string
  readonly commit?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** A CI server: the variable that only this server sets, and where it keeps the rest. */
interface Server {
  readonly server: CiBuild['server']
  readonly mark: string
  readonly name: string
  readonly number: string
  readonly url: (env: Environment) => string | undefined
  readonly repository: string
  readonly branch: string
  readonly commit: string
}

const servers: readonly Server[] = [
  {
    server: 'github',
    mark: 'GITHUB_ACTIONS',
    name: 'GITHUB_WORKFLOW',
    number: 'GITHUB_RUN_NUMBER',
    url: (env) =>
      `${env['GITHUB_SERVER_URL']}/${env['GITHUB_REPOSITORY']}/actions/runs/${env['GITHUB_RUN_ID']}`,
    repository: 'GITHUB_REPOSITORY',
    branch: 'GITHUB_REF_NAME',
    commit: 'GITHUB_SHA',
  },
  {
    server: 'gitlab',
    mark: 'GITLAB_CI',
    name: 'CI_JOB_NAME',
    number: 'CI_PIPELINE_IID',
    url: (env) => env['CI_PIPELINE_URL'],
    repository: 'CI_PROJECT_PATH',
    branch: 'CI_COMMIT_REF_NAME',
    commit: 'CI_COMMIT_SHA',
  },
  {
    server: 'jenkins',
    mark: 'JENKINS_URL',
    name: 'JOB_NAME',
    number: 'BUILD_NUMBER',
    url: (env) => env['BUILD_URL'],
    repository: 'GIT_URL',
    branch: 'GIT_BRANCH',
    commit: 'GIT_COMMIT',
  },
]

/** The build that the environment of this process describes; undefined outside a CI server that is known here. */
export const ciBuildOf = (env: Environment): CiBuild | undefined => {
  const row = servers.find(({ mark }) => (env[mark] ?? '') !== '')
  if (row === undefined) return undefined
  const { server } = row
  const optional = Object.fromEntries(
    (['repository', 'branch', 'commit'] as const).flatMap((fact) => {
      const value = env[row[fact]]
      return value === undefined ? [] : [[fact, value]]
    }),
  )
  return {
    server,
    name: env[row.name] ?? row.server,
    number: Number(env[row.number] ?? 0),
    url: row.url(env) ?? '',
    ...optional,
  }
}
