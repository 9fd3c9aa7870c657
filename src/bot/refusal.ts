import { UserError } from '../errors.ts';
import type { Button } from './buttons.ts';

/** A refusal with a sensible next step, which is offered as a button under it. */
export class Refusal extends UserError {
  readonly nextStep: Button;

  constructor(message: string, nextStep: Button, options?: ErrorOptions) {
    super(message, options);
    this.nextStep = nextStep;
  }
}
