import { expect, test } from '@playwright/test'
import { marked } from '../../reports/page/marked.ts'

test('marks the member of a JSON document that differs', () => {
  const { left, right } = marked('{"a":1,"b":[2,3]}', '{"a":1,"b":[2,4]}')
  expect(left).toContain('<del>3</del>')
  expect(right).toContain('<ins>4</ins>')
  expect(left).toContain('&quot;a&quot;: 1')
  expect(right.match(/<ins>/g)).toHaveLength(1)
})

test('marks the element of an XML document that differs, as text', () => {
  const { left, right } = marked(
    '<Fa> <P_1>2026-06-15</P_1> <P_2>7</P_2> </Fa>',
    '<Fa> <P_1>2026-06-15</P_1> <P_2>8</P_2> </Fa>',
  )
  expect(left).toContain('&lt;P_2&gt;<del>7</del>&lt;/P_2&gt;')
  expect(right).toContain('<ins>8</ins>')
  expect(left).not.toContain('<P_')
})

test('marks letters of a single word, and nothing where all differs', () => {
  expect(marked('2026-06-15T08:00:00Z', '2026-06-15T10:00:00Z').right).toMatch(/<ins>1<\/ins>/)
  expect(marked('401', '200')).toEqual({ left: '401', right: '200' })
  expect(marked('<a>', '')).toEqual({ left: '&lt;a&gt;', right: '' })
})
