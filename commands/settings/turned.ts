/** What a button turns, pressed twice as once: to what it says, `on` or `off`; one of an earlier version, to the other. */
export const turned = (to: string | undefined, before: boolean): boolean =>
  to === undefined ? !before : to === 'on';
