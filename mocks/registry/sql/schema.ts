/**
 * The tables of the specification (2.1), and beside them what it leaves open: which repository holds which content,
 * the exact text of manifests, uploads under way, the signing key, and content that waits to be unpinned.
 *
 * Names are compared byte by byte (`collate "C"`), so that lists are in ASCII order on every installation. `data` is
 * `json`, not `jsonb`: the latter refuses documents that are valid JSON (`\u0000`, numbers beyond any column).
 */
export const schema: readonly string[] = [
  `create table if not exists repository (
    id serial primary key,
    name varchar(255) collate "C" not null unique,
    created_at timestamptz not null default now()
  )`,
  `create table if not exists tag (
    id serial primary key,
    repository_id integer not null references repository (id),
    name varchar(255) collate "C" not null,
    manifest_digest varchar(255) not null,
    created_at timestamptz not null default now(),
    unique (repository_id, name)
  )`,
  `create table if not exists manifest (
    digest varchar(255) primary key,
    content_type varchar(255) not null,
    data json not null,
    created_at timestamptz not null default now()
  )`,
  `create table if not exists blob (
    digest varchar(255) primary key,
    ipfs_cid varchar(255) not null,
    size bigint not null,
    created_at timestamptz not null default now()
  )`,
  `create table if not exists manifest_blob (
    manifest_digest varchar(255) not null references manifest (digest),
    blob_digest varchar(255) not null references blob (digest),
    primary key (manifest_digest, blob_digest)
  )`,
  `create table if not exists manifest_content (
    digest varchar(255) primary key references manifest (digest),
    content text not null,
    size integer not null,
    annotations text
  )`,
  `create table if not exists repository_manifest (
    repository_id integer not null references repository (id),
    manifest_digest varchar(255) not null references manifest (digest),
    content_type varchar(255) not null,
    subject varchar(255),
    artifact_type text,
    primary key (repository_id, manifest_digest)
  )`,
  `create table if not exists repository_blob (
    repository_id integer not null references repository (id),
    blob_digest varchar(255) not null references blob (digest),
    primary key (repository_id, blob_digest)
  )`,
  `create table if not exists blob_alias (
    digest varchar(255) primary key,
    blob_digest varchar(255) not null references blob (digest)
  )`,
  `create table if not exists upload (
    id varchar(36) primary key,
    repository varchar(255) not null,
    algorithm varchar(32) not null,
    size bigint not null,
    expires_at bigint not null
  )`,
  `create table if not exists upload_chunk (
    upload_id varchar(36) not null references upload (id) on delete cascade,
    start bigint not null,
    size bigint not null,
    ipfs_cid varchar(255) not null,
    sha256 varchar(255) not null,
    sha512 varchar(255),
    primary key (upload_id, start)
  )`,
  `create table if not exists signing_key (
    id integer primary key,
    public_key text not null,
    private_key text not null
  )`,
  `create table if not exists garbage (
    ipfs_cid varchar(255) primary key,
    state varchar(16) not null,
    due_at bigint not null
  )`,
  'create index if not exists tag_name on tag (name)',
  'create index if not exists tag_manifest on tag (manifest_digest)',
  'create index if not exists blob_ipfs_cid on blob (ipfs_cid)',
  'create index if not exists manifest_blob_blob on manifest_blob (blob_digest)',
  'create index if not exists repository_manifest_subject on repository_manifest (subject)',
  'create index if not exists repository_manifest_manifest on repository_manifest (manifest_digest)',
  'create index if not exists repository_blob_blob on repository_blob (blob_digest)',
  'create index if not exists blob_alias_blob on blob_alias (blob_digest)',
  'create index if not exists upload_expires_at on upload (expires_at)',
]

/** Every table, those that are referred to first. */
export const tables = [
  'repository',
  'manifest',
  'blob',
  'tag',
  'manifest_blob',
  'manifest_content',
  'repository_manifest',
  'repository_blob',
  'blob_alias',
  'upload',
  'upload_chunk',
  'signing_key',
  'garbage',
] as const
