/** One loop in the ground, or a light barrier: whatever tells that a vehicle is there. */
export interface LoopSource {
  /** Whether a vehicle is there now; null: nobody knows, as long as its device is away. */
  occupied(): boolean | null;
  /** Called when it is told anew how the loop stands. */
  watch(listener: () => void): void;
}
