/** A server cannot finish a drawing that it may have begun; another one may. */
export class DrawingLost extends Error {
  override readonly name = 'DrawingLost';
}

/** A server takes no drawing at the moment, and has not begun this one. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}
