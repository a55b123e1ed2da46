/** The media types of a GraphQL answer in JSON, parameters allowed. */
export const jsonType = /^application\/(?:graphql-response\+)?json(?:\s*;|$)/i
