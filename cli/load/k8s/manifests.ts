/**
 * Manifests for k6-operator, which runs a load on several pods. They are JSON, which `kubectl apply` takes as it takes
 * YAML.
 */

export interface ClusterRun {
  /** Of every object: lower-case letters, digits and dashes. */
  readonly name: string
  /** Pods, each with its execution segment. */
  readonly segments: number
  /** Image with k6 v2. */
  readonly image: string
  /** Outputs of k6, as its `--out` takes them. */
  readonly outputs: readonly string[]
  /** Size of all files, bytes. */
  readonly bytes: number
  /** The volume has authorities that the pods have to trust. */
  readonly ownCa?: boolean
}

/** Where the operator mounts the volume with the script. */
export const mount = '/test'

/** Paths below the mount. */
export const volumeFiles = {
  script: 'load/main.js',
  assignment: 'corpus/assignment.json',
  authorities: 'corpus/authorities.pem',
} as const

/** Key of the Secret, and name of the file that it is made of. */
export const secretsFile = 'secrets.json'

/** The run: k6-operator starts a pod for each segment. */
export const testRun = ({ name, segments, image, outputs, ownCa = false }: ClusterRun) => ({
  apiVersion: 'k6.io/v1alpha1',
  kind: 'TestRun',
  metadata: { name },
  spec: {
    parallelism: segments,
    script: { volumeClaim: { name, file: volumeFiles.script, readOnly: true } },
    // As an argument, because the operator also archives the script, where k6 reads no environment.
    arguments: [
      '-e',
      `ASSAY_ASSIGNMENT=${mount}/${volumeFiles.assignment}`,
      ...outputs.flatMap((output) => ['--out', output]),
    ].join(' '),
    // A part of its own, else it is a copy of the runner, with secrets that it does not need.
    initializer: { image },
    runner: {
      image,
      env: [
        { name: 'ASSAY_SECRETS', valueFrom: { secretKeyRef: { name, key: secretsFile } } },
        // The trace is what the pods log.
        { name: 'K6_LOG_FORMAT', value: 'raw' },
        { name: 'K6_SUMMARY_MODE', value: 'disabled' },
        { name: 'K6_NO_USAGE_REPORT', value: 'true' },
        ...(ownCa ? [{ name: 'SSL_CERT_FILE', value: `${mount}/${volumeFiles.authorities}` }] : []),
      ],
    },
  },
})

const gibibyte = 2 ** 30

/** The volume that all pods read, and a pod to copy the files through. */
export const volume = ({ name, bytes }: ClusterRun) => ({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: {
        accessModes: ['ReadWriteMany'],
        resources: { requests: { storage: `${Math.ceil((2 * bytes) / gibibyte)}Gi` } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `${name}-files` },
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            name: 'files',
            image: 'busybox:stable',
            command: ['sleep', '86400'],
            volumeMounts: [{ name: 'files', mountPath: mount }],
          },
        ],
        volumes: [{ name: 'files', persistentVolumeClaim: { claimName: name } }],
      },
    },
  ],
})

/** What to do with the emitted directory, command by command. */
export const commands = (name: string, directory: string): readonly string[] => [
  `kubectl create secret generic ${name} --from-file=${directory}/${secretsFile}`,
  `kubectl apply -f ${directory}/volume.json`,
  `kubectl wait --for=condition=Ready pod/${name}-files`,
  `kubectl cp ${directory}/files/. ${name}-files:${mount}`,
  `kubectl delete pod/${name}-files`,
  `kubectl apply -f ${directory}/testrun.json`,
  `kubectl wait --for=jsonpath={.status.stage}=finished --timeout=1h testrun/${name}`,
  `kubectl logs -l k6_cr=${name},runner=true --tail=-1 > ${directory}/pods.log`,
]
