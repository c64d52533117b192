import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer as createSecureServer } from 'node:tls'
import { selfSigned } from '../../../reference/keys/self-signed.ts'

/** A proxy that leads one host name to a service of this machine, for a client that knows no other address. */
export interface Detour {
  /** What sends a client through it. */
  readonly environment: Readonly<Record<string, string>>
  close(): void
}

const hour = 3_600_000

/** Opens a detour from `https://<host>` to an HTTP service on `target`; every other name is refused. */
export const openDetour = async (host: string, target: URL): Promise<Detour> => {
  const now = Date.now()
  const { certificatePem, keyPem } = await selfSigned({
    subject: `CN=${host}`,
    hosts: [host],
    validFrom: now - hour,
    validTo: now + hour,
    algorithm: 'P-256',
  })
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-detour-'))
  const certificate = path.join(folder, 'ca.pem')
  writeFileSync(certificate, certificatePem)
  const secure = createSecureServer({ cert: certificatePem, key: keyPem }, (caller) => {
    const service = connect(Number(target.port), target.hostname)
    caller.pipe(service).pipe(caller)
    caller.on('error', () => service.destroy())
    service.on('error', () => caller.destroy())
  })
  const proxy = createServer()
  proxy.on('connect', ({ url }, socket) => {
    if (url !== `${host}:443`) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    secure.emit('connection', socket)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as AddressInfo
  return {
    environment: {
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      NO_PROXY: '',
      SSL_CERT_FILE: certificate,
    },
    close() {
      proxy.close()
      proxy.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
