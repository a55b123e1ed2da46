/**
 * Requirements that no fault tries, each with the reason: a target can break them, and the mocks cannot, as what is
 * broken lies around a service and not in it.
 */
export const unbreakable: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: 'auth.challenge.realm-https',
    reason: 'it is asked of a registry behind https alone, and the mocks speak plain HTTP',
  },
  {
    id: 'storage.gateway.private-leak',
    reason:
      'it is asked only where the operator says that the gateway is private, and that of the mocks is public, as the specification has it',
  },
  {
    id: 'service.exposure.https',
    reason: 'it needs public names with certificates that clients accept, which no mock on one machine has',
  },
  {
    id: 'service.database-not-public',
    reason:
      'it looks at port 5432 of public hosts, and a mock listens on one machine; what it looks for has a test of its own (service/public-address.test.ts)',
  },
  {
    id: 'storage.gateway.private-leak',
    reason:
      'it is asked of a gateway that its operator declares private, and that of the mocks is public; that it tells the one from the other has a test of its own (harness/cli/private-gateway.test.ts)',
  },
]
