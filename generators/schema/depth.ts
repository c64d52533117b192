import type { Group, Particle, Type } from './model.ts'
import { isSimple } from './model.ts'

/** Levels of elements that a particle needs at least; infinite where it needs itself. */
export function levels(particle: Particle, around: readonly Type[] = []): number {
  if (particle.min === 0) return 0
  if (particle.kind !== 'element') {
    const inside = particle.particles.map((each) => levels(each, around))
    return particle.kind === 'choice' ? Math.min(...inside) : Math.max(0, ...inside)
  }
  const type = particle.type()
  if (around.includes(type)) return Number.POSITIVE_INFINITY
  if (type.kind !== 'complex' || !type.content || isSimple(type.content)) return 1
  return 1 + levels(type.content, [...around, type])
}

const found = new WeakMap<Group, number>()

/** The branch of a choice that ends soonest: with it, schemas that contain themselves come to an end. */
export function shallowestBranch(choice: Group): number {
  let branch = found.get(choice)
  if (branch === undefined) {
    const depths = choice.particles.map((each) => levels(each))
    branch = depths.indexOf(Math.min(...depths))
    found.set(choice, branch)
  }
  return branch
}
