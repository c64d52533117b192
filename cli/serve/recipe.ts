import type { Server } from '../../reference/server/server.ts'

/** Names of the public service that clients carry in their code, by environment. */
const publicHosts: Readonly<Record<string, string>> = {
  test: 'api-test.ksef.mf.gov.pl',
  demo: 'api-demo.ksef.mf.gov.pl',
  production: 'api.ksef.mf.gov.pl',
}

/** How a client whose addresses are fixed in its code reaches this service, without a container. */
export const hostsRecipe = ({ profile }: Server): string => {
  const host = publicHosts[profile.environment] ?? 'api-test.ksef.mf.gov.pl'
  return `# A client with a fixed address

Some clients carry the address of the service in their code. On a machine from which no real invoice is ever sent, let
the name lead to this machine, and serve under that name with TLS on port 443 (binding it may need \`sudo\`):

    echo '127.0.0.1 ${host}' | sudo tee -a /etc/hosts
    npx assay serve --dialect ${profile.dialect} --environment ${profile.environment} --host ${host} --port 443 --tls --export DIR

The client has to trust \`DIR/ca.crt.pem\`:

    NODE_EXTRA_CA_CERTS=DIR/ca.crt.pem                     # Node
    REQUESTS_CA_BUNDLE=DIR/ca.crt.pem                      # Python (requests); SSL_CERT_FILE for httpx
    SSL_CERT_FILE=DIR/ca.crt.pem                           # Go, .NET on Linux, Rust (rustls-native-certs)
    keytool -importcert -noprompt -alias assay -file DIR/ca.crt.pem -keystore trust.p12 -storepass changeit
    java -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit ...

Afterwards take the line out of /etc/hosts again:

    sudo sed -i '/ ${host.replaceAll('.', '\\.')}$/d' /etc/hosts
`
}
