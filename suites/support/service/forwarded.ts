/** Headers by which a proxy states the address of a caller: a caller may send any of them. */
export const forwardedBy = (address: string): Readonly<Record<string, string>> => ({
  'X-Forwarded-For': address,
  'X-Real-IP': address,
  Forwarded: `for=${address}`,
  'True-Client-IP': address,
  'CF-Connecting-IP': address,
})
