/** Requirements that cannot be seen from outside, each with the reason. */
export const unobservable: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: 'oci.push.session.timeout',
    reason: 'an upload is discarded after hours or days, which no run waits for, and nothing tells the time',
  },
]
