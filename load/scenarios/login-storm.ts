import { loginWithToken } from '../../lib/flows/login.ts'
import { onSchedule } from '../tasks.ts'
import type { Task } from '../tasks.ts'

/** Logs in by service token: challenge, authentication, status, tokens. */
export const loginTask: Task = async (client, { login }) => {
  if (login === undefined) return 'the context has no service token'
  const { accessToken } = await loginWithToken(client.with({}), login)
  return accessToken === '' ? 'the access token is empty' : undefined
}

export const loginStorm = onSchedule(() => loginTask)
