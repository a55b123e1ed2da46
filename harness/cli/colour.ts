/** Whether a stream shows colours: a terminal, unless the user wants plain text. */
export const wantsColour = (stream: { readonly isTTY?: boolean }): boolean =>
  stream.isTTY === true && !process.env['NO_COLOR'] && !process.argv.includes('--no-color')
