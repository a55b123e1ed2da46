import { faultKinds } from '../../harness/fault-kinds.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { posing, relisting, rewording, withTypeNames } from './wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const syntaxError = { errors: [{ message: 'Syntax Error' }], data: null }

/** How documents are read, and their selections answered. */
export const faults = [
  interoperability(
    'graphql.fragments.typename',
    'objects that are selected by a fragment have __typename too',
    ['graphql.fragments'],
    {
      graphql: relisting((entries, { text }) =>
        text.includes('...') ? entries.map((entry) => ({ ...entry, __typename: 'Project' })) : entries,
      ),
    },
  ),
  corruption(
    'graphql.fragments.empty',
    'a list that is selected by fragments is empty',
    ['graphql.fragments'],
    { graphql: relisting((entries, { text }) => (text.includes('...') ? [] : entries)) },
  ),
  interoperability(
    'graphql.document.comment-swallows',
    'a comment swallows the field on the next line',
    ['graphql.document.ignored-tokens'],
    { graphql: posing(({ text }) => ({ text: text.replace('\\n name', '\\n') })) },
  ),
  interoperability(
    'graphql.response.type-null',
    '__typename is null',
    ['graphql.response.typename', 'graphql.post-json'],
    { graphql: rewording((body) => withTypeNames(body, () => null)) },
  ),
  interoperability(
    'graphql.response.member-twice',
    'a field that is selected twice is written out twice',
    ['graphql.response.merge'],
    {
      graphql: rewording((body, { text }) => {
        const answer = JSON.stringify(body).replace(/"projects":.*(?=\}\}$)/, '$&,$&')
        return text.split('projects').length > 2
          ? new Response(answer, { headers: { 'content-type': 'application/json' } })
          : undefined
      }),
    },
  ),
  corruption(
    'graphql.response.aliases-swapped',
    'two fields with aliases are answered under the alias of each other',
    ['graphql.response.aliases'],
    {
      graphql: rewording((body, { text }) => {
        const swapped = { '"c":': '"d":', '"d":': '"c":' }
        const swap = (key: string) => (key === '"c":' || key === '"d":' ? swapped[key] : key)
        return text.includes('c: id') ? JSON.parse(JSON.stringify(body).replace(/"[cd]":/g, swap)) : undefined
      }),
    },
  ),
  interoperability(
    'graphql.response.aliases-added',
    'a field with an alias is answered under its name too',
    ['graphql.response.aliases'],
    {
      graphql: rewording((body, { text }) =>
        text.includes('c: id')
          ? JSON.parse(JSON.stringify(body).replace(/"c":("[^"]*")/g, '$&,"id":$1'))
          : undefined,
      ),
    },
  ),
  interoperability(
    'graphql.post-json.ascii-alone',
    'text outside ASCII is a syntax error',
    ['graphql.post-json.utf8'],
    {
      graphql: rewording((_body, { text }) =>
        /[^\x20-\x7e]|\\u[0-9a-f]{4}/.test(text) ? syntaxError : undefined,
      ),
    },
  ),
  interoperability(
    'graphql.variables.dropped',
    'the values of variables are dropped',
    ['graphql.variables.used', 'graphql.variables.default'],
    {
      graphql: posing(({ text }) =>
        text.includes('"query ($a: Boolean')
          ? { text: JSON.stringify({ ...JSON.parse(text), variables: {} }) }
          : {},
      ),
    },
  ),
]
