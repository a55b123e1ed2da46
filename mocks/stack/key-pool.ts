import { type KeyPair, makeKeyPair } from '../registry/signing-key.ts'
import type { Closers } from './closers.ts'

const idle: Promise<KeyPair>[] = []

/**
 * A key pair that no other running stack of this process has. Making one costs 250 ms of a processor, half of a start,
 * so that of a stack that was closed is used again: who starts hundreds of stacks in a row makes only a few.
 */
export function borrowKeyPair(closers: Closers): Promise<KeyPair> {
  const pair = idle.pop() ?? makeKeyPair()
  closers.add(() => void idle.push(pair))
  return pair
}
