import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { linkPackages, writeProject } from '../programs/template-test/project.ts'
import { runJob } from '../programs/template-test/runner.ts'
import { githubJobs } from '../programs/template-test/workflow.ts'
import { projectRoot } from '../sources.ts'

/**
 * The job of every push, run as the CI server would: the service in the background, then the user's own tests. The jobs
 * that take minutes are run by `npm run template-test`.
 */

const root = projectRoot() ?? '.'
test.skip(projectRoot() === undefined, 'the published package has no sources')

test('the job for every push passes, line by line', () => {
  test.setTimeout(120_000)
  const work = mkdtempSync(path.join(tmpdir(), 'assay-ci-'))
  try {
    const jobs = githubJobs(path.join(root, 'examples/ci/github/on-push.yml'), {})
    expect(jobs).toHaveLength(1)
    const ran = jobs.flatMap((job) =>
      runJob(job, {
        work,
        env: { GITHUB_ACTIONS: 'true' },
        clone: (folder) => {
          mkdirSync(folder, { recursive: true })
          writeProject(folder)
          linkPackages(folder, root)
        },
        // The packages are linked, and another test may have the port.
        adapt: (script) => script.replace(/^npm ci$/, 'true').replace('--port 8080', '--port 0'),
      }),
    )
    expect(ran.map(({ exit, output }) => (exit === 0 ? 0 : output))).toEqual([0, 0, 0])
    expect(ran.at(-1)?.output).toContain('own tests: passed')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
})
