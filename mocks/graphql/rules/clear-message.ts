/**
 * What a client may read of a message of graphql's. Validation proposes names of the schema, which is not to be read;
 * coercion and parsing repeat values, which may be secrets; and one message does not say what is wrong.
 */
export const clearMessage = (message: string): string =>
  message
    .replace(/^Validation aborted\.$/, 'The document repeats its fields too often to be checked')
    .replace(/ Did you mean [\s\S]*\?$/, '')
    .replace(/ got invalid value [\s\S]*?(?= at "|; )/, ' got an invalid value')
    .replace(/( cannot represent [^:]*value): [\s\S]*$/, '$1')
    .replace(/^(Expected value of type "[^"]*"), found [\s\S]*$/, '$1.')
    .replace(/((?:found|Unexpected) (?:Block)?String) "[\s\S]*$/, '$1.')
