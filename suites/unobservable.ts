/** Requirements that cannot be seen from outside, each with the reason. */
export const unobservable: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: 'oci.push.session.timeout',
    reason: 'an upload is discarded after hours or days, which no run waits for, and nothing tells the time',
  },
  {
    id: 'oci.discovery.referrers.tag-schema.merged',
    reason:
      'only a registry whose referrers API is switched on after a client kept a list under a tag owes this, and no request switches it on',
  },
  {
    id: 'service.token.secret-length',
    reason:
      'the secret is read when the registry starts, and a run meets one that has started; our own command refuses a short one, which its tests show',
  },
  {
    id: 'storage.gc.watermark',
    reason:
      'the limit of a node and the time that it keeps are its configuration: no request lowers the one, and whoever moved the other would move it for all requirements that run at the time',
  },
  {
    id: 'storage.api-not-public',
    reason:
      'whether an address can be reached from the public network shows only there, and a run does not know where it stands',
  },
]
