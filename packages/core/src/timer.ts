/** A timer is a name with a duration. Starting one again replaces it; one that fires after it was stopped is a no-op. */
export interface Timer<Of extends string> {
  readonly of: Of
  /** Which call it belongs to; 0 when there is one such timer only. */
  readonly call: number
}
