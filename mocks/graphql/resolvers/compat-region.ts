interface Region {
  readonly id: string
  readonly label: string
  readonly verifiedCount: number
  readonly onlineCount: number
  readonly recentBidCount: number
  readonly medianPrices: Readonly<Record<string, number>>
  readonly confidence: 'GREEN' | 'YELLOW' | 'RED'
}

/** Places and prices are made up. */
const akashRegions: readonly Region[] = [
  {
    id: 'us-west',
    label: 'US West',
    verifiedCount: 6,
    onlineCount: 9,
    recentBidCount: 31,
    medianPrices: { cpu1Core: 0.02, h100: 2.4, a100: 1.5, rtx4090: 0.5 },
    confidence: 'GREEN',
  },
  {
    id: 'eu-central',
    label: 'EU Central',
    verifiedCount: 2,
    onlineCount: 4,
    recentBidCount: 7,
    medianPrices: { cpu1Core: 0.03, a100: 1.8 },
    confidence: 'YELLOW',
  },
  {
    id: 'ap-south',
    label: 'Asia South',
    verifiedCount: 0,
    onlineCount: 1,
    recentBidCount: 0,
    medianPrices: { cpu1Core: 0.05 },
    confidence: 'RED',
  },
]

/** The client takes this id as the sign that there is nothing to choose. */
const phalaRegions: readonly Region[] = [
  {
    id: 'phala-single-region',
    label: 'One region',
    verifiedCount: 1,
    onlineCount: 1,
    recentBidCount: 0,
    medianPrices: { h100: 3, h200: 4 },
    confidence: 'GREEN',
  },
]

interface Arguments {
  readonly provider?: 'AKASH' | 'PHALA' | 'SPHERON' | null
  readonly gpuModelHint?: string | null
}

function regions(_: unknown, { provider, gpuModelHint }: Arguments) {
  const offered = provider === 'PHALA' ? phalaRegions : provider === 'SPHERON' ? [] : akashRegions
  return offered.map((region) => ({
    ...region,
    available: gpuModelHint == null || region.medianPrices[gpuModelHint.toLowerCase()] !== undefined,
  }))
}

export const compatRegionResolvers = { Query: { regions } }
