import { expect, test } from '@playwright/test'
import { createReference } from '../../../reference/service/reference.ts'

/** Key pairs of services that were closed are used again, by no two services at the same time. */

const idsOf = ({ service }: Awaited<ReturnType<typeof createReference>>): string[] =>
  service.keys.published(service.policy, service.clock.now()).map(({ publicKeyId }) => publicKeyId)

test('services that run at the same time share no key', async () => {
  const [one, other] = await Promise.all([createReference(), createReference()])
  const first = idsOf(one)
  expect(new Set([...first, ...idsOf(other)]).size, 'keys of two services').toBe(4)
  await one.close()
  const third = await createReference()
  const later = idsOf(third)
  expect(new Set([...later, ...idsOf(other)]).size, 'keys of two services, later').toBe(4)
  await Promise.all([other.close(), third.close()])
})

test('a rotation makes a key that the service did not have', async () => {
  const one = await createReference()
  const { service } = one
  const before = idsOf(one)
  const { publicKeyId } = await service.keys.rotate(
    service.policy,
    'SvcTokenEncryption',
    0,
    service.clock.now(),
  )
  expect(before).not.toContain(publicKeyId)
  await one.close()
})
