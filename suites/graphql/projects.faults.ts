import { faultKinds } from '../../harness/fault-kinds.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { isObject, type JsonObject } from './answers.ts'
import { relisting, rewording, type Wire } from './wire.ts'

const { corruption, interoperability, security } = faultKinds<Seams>()

const tooComplex = { errors: [{ message: 'The query is too complex' }], data: null }

/** Remembers every project that was created, for everybody. */
function leakingTo(answer: (known: ReadonlyMap<string, JsonObject>, body: JsonObject) => unknown) {
  return (next: Wire): Wire => {
    const known = new Map<string, JsonObject>()
    return rewording((body) => {
      const data = isObject(body['data']) ? body['data'] : {}
      const created = data['createProject']
      if (isObject(created)) known.set(String(created['id']), created)
      return answer(known, body)
    })(next)
  }
}

export const faults = [
  interoperability(
    'graphql.projects.ids-are-numbers',
    'ids are JSON numbers',
    ['graphql.projects.id-string'],
    {
      graphql: relisting((entries) => entries.map((entry, i) => ({ ...entry, id: i }))),
    },
  ),
  corruption(
    'graphql.projects.twice',
    'each project stands twice in the list',
    ['graphql.projects.id-unique'],
    {
      graphql: relisting((entries) => [...entries, ...entries]),
    },
  ),
  interoperability('graphql.projects.names-null', 'names are null', ['graphql.projects.name-string'], {
    graphql: relisting((entries) => entries.map((entry) => ({ ...entry, name: null }))),
  }),
  interoperability(
    'graphql.projects.null-list',
    'a list of projects is null',
    ['graphql.projects', 'graphql.projects.list'],
    {
      graphql: relisting(() => null),
    },
  ),
  corruption(
    'graphql.projects.null-entry',
    'the list ends in a null',
    ['graphql.projects.list', 'graphql.projects'],
    {
      graphql: relisting((entries) => [...entries, null]),
    },
  ),
  corruption(
    'graphql.projects.forgotten',
    'projects are not listed',
    ['graphql.projects.create-listed', 'graphql.projects.visible-only', 'graphql.document.ignored-tokens'],
    {
      graphql: relisting(() => []),
    },
  ),
  corruption(
    'graphql.projects.undead',
    'deleting a project changes nothing',
    ['graphql.projects.create-listed'],
    {
      graphql: (next) => async (request, context) => {
        const text = await request.clone().text()
        return text.includes('deleteProject(')
          ? Response.json({ data: { deleteProject: true } })
          : next(request, context)
      },
    },
  ),
  interoperability(
    'graphql.projects.more-than-asked',
    'entries have a member that was not selected',
    ['graphql.projects', 'graphql.response.only-selected', 'graphql.response.merge'],
    { graphql: relisting((entries) => entries.map((entry) => ({ ...entry, slug: 'x' }))) },
  ),
  interoperability(
    'graphql.projects.flat-too-complex',
    'the flat list is too complex',
    ['graphql.projects.flat'],
    {
      graphql: rewording((body, { text }) =>
        /projects \{ data \{ id/.test(text) && isObject(body['data']) ? tooComplex : undefined,
      ),
    },
  ),
  security(
    'graphql.isolation.everybody',
    'the list holds the projects of everybody',
    ['graphql.projects.visible-only', 'graphql.isolation.interleaved'],
    {
      graphql: leakingTo((known, body) => {
        const data = isObject(body['data']) ? body['data'] : {}
        return isObject(data['projects']) ? { data: { projects: { data: [...known.values()] } } } : undefined
      }),
    },
  ),
  security('graphql.isolation.by-id', "anybody's project is found by its id", ['graphql.isolation.by-id'], {
    graphql: leakingTo((known, body) => {
      const data = isObject(body['data']) ? body['data'] : {}
      return data['project'] === null ? { data: { project: [...known.values()].at(-1) } } : undefined
    }),
  }),
  security(
    'graphql.isolation.mutation',
    "a change of another user's project is answered as done",
    ['graphql.isolation.mutation'],
    {
      graphql: rewording((body, { text }) =>
        /updateProject|deleteProject/.test(text) && 'errors' in body ? { data: { done: true } } : undefined,
      ),
    },
  ),
]
