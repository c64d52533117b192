/** One thing that `doctor` or the preflight looked at. */
export interface Diagnosis {
  /** For example `target.tls`; stable, for scripts. */
  readonly id: string
  readonly ok: boolean
  /** What was seen. */
  readonly found: string
  /** What to do about it. */
  readonly advice?: string
  /** Without it no verdict can be given; the rest only narrows a run. */
  readonly essential?: boolean
  /** Nothing is missing: something is careless. */
  readonly warning?: boolean
}

/** Something that keeps a run from starting. */
export const fault = (id: string, found: string, advice: string): Diagnosis => ({
  id,
  ok: false,
  essential: true,
  found,
  advice,
})

export const sound = (id: string, found: string): Diagnosis => ({ id, ok: true, found })
