import { noChange } from 'lit';
import { type AttributePart, Directive, directive, type PartInfo, PartType } from 'lit/directive.js';

/**
 * The `src` of a picture that may be exchanged: the one before stays until the next one is loaded, and for good where
 * that is gone again by then.
 */
class SteadySource extends Directive {
  #wanted: string | undefined;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ATTRIBUTE) throw new TypeError('steadySource is the value of an attribute.');
  }

  render(url: string): string {
    return url;
  }

  override update({ element }: AttributePart, [url]: [string]) {
    if (this.#wanted === url) return noChange;
    const isFirst = this.#wanted === undefined;
    this.#wanted = url;
    if (isFirst) return url;
    const next = new Image();
    next.src = url;
    // What is loaded may still fail to decode, as when the page is hidden or memory is short.
    const show = () => {
      if (this.#wanted === url && next.naturalWidth > 0) element.setAttribute('src', url);
    };
    next.decode().then(show, show);
    return noChange;
  }
}

export const steadySource = directive(SteadySource);
