// The dependencies, by `npm ci`, when the lockfile or the Node that they were installed for changed.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Explained, runLogged, say, tail } from './process.mjs'

/**
 * @param {string} root the project's folder
 * @throws {Explained} when npm fails, with what to do
 */
export async function install(root) {
  const stamp = installStamp(root)
  const stampFile = join(root, 'node_modules/.assay-install')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  if (!agreesWithLockfile(root)) await cleanInstall(root)
  // Written last: an interrupted install has none and is begun again.
  writeFileSync(stampFile, stamp)
  if (!existsSync(join(root, 'node_modules/libxmljs2'))) {
    say('install: the optional libxmljs2 is absent (it needs a C++ compiler, make and Python)')
  }
}

function installStamp(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch} ${process.versions.modules}`)
    .digest('hex')
}

// npm notes in node_modules what it installed, as the last thing it does. After `npm install`
// by hand no second install is needed.
function agreesWithLockfile(root) {
  try {
    const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages
    const wanted = read('package-lock.json')
    const present = read('node_modules/.package-lock.json')
    const tried = Object.keys(wanted[''].optionalDependencies ?? {})
    return Object.entries(wanted).every(([path, { version, optional }]) => {
      // Other platforms' binaries are optional and rightly absent.
      if (path === '' || (optional && !tried.includes(path.replace('node_modules/', ''))))
        return true
      return present[path]?.version === version && existsSync(join(root, path, 'package.json'))
    })
  } catch {
    return false
  }
}

async function cleanInstall(root) {
  say('install: npm ci (about a minute on an empty cache)')
  // npm stumbles over half-removed folders that an interrupted run left behind.
  rmSync(join(root, 'node_modules'), { recursive: true, force: true, maxRetries: 3 })
  const logFile = join(root, '.cache/logs/npm-ci.log')
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const { code, log } = await runNpm(args, {
    cwd: root,
    env: installEnvironment(),
    label: 'install',
    logFile,
  })
  if (code !== 0) {
    throw new Explained(
      `npm ci failed (exit ${code}). ${explain(log)}\nThe end of ${logFile}:\n${tail(log)}`,
    )
  }
  say('install: done')
}

// Under `npm test` the npm that runs is the one to use; `node scripts/bootstrap.mjs` finds it on PATH.
function runNpm(args, options) {
  const npmCli = process.env.npm_execpath
  if (npmCli?.endsWith('npm-cli.js')) return runLogged(process.execPath, [npmCli, ...args], options)
  const windows = process.platform === 'win32'
  return runLogged(windows ? 'npm.cmd' : 'npm', args, { ...options, shell: windows })
}

// Addons compile against the headers of the Node that runs; without this they would be downloaded.
function installEnvironment() {
  const prefix = dirname(dirname(realpathSync(process.execPath)))
  const env = { ...process.env }
  if (!env.npm_config_nodedir && existsSync(join(prefix, 'include/node/node.h'))) {
    env.npm_config_nodedir = prefix
  }
  // Otherwise they compile on one processor.
  env.JOBS ??= 'max'
  return env
}

const explanations = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/,
    'The package registry cannot be reached. The first install needs the network (or a filled npm cache); check the connection, `npm config get registry` and the proxy settings, then run the same command again.',
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_/,
    'The certificate of the registry is not trusted here. Name the right authority in NODE_EXTRA_CA_CERTS or in `cafile` of .npmrc.',
  ],
  [/EUSAGE/, 'package.json and package-lock.json disagree: run `npm install` and commit both.'],
  [/EINTEGRITY/, 'A package does not match its checksum: run `npm cache verify` and try again.'],
  [/ENOSPC/, 'The disk is full.'],
  [/EACCES|EPERM|EROFS/, 'npm may not write here: check the owner of this folder and of ~/.npm.'],
]

function explain(log) {
  return explanations.find(([pattern]) => pattern.test(log))?.[1] ?? ''
}
