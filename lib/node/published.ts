import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

/** Where the published data is looked for when `ASSAY_PUBLIC` names no folder, from the working directory. */
export const publishedDefault = '../shared/public'

/** The published schemas, OpenAPI description and samples, not part of this project: docs/guides/public-data.md. */
export const publishedFolder = path.resolve(process.env['ASSAY_PUBLIC'] ?? publishedDefault)

/** A file or folder of the published data; undefined where this machine does not have it. */
export const publishedPath = (name: string): string | undefined => {
  const place = path.join(publishedFolder, name)
  return existsSync(place) ? place : undefined
}
