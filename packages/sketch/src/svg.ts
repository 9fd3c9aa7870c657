/** SVG whose numbers have one digit behind the point, as in svg`M${x} ${y}`; strings stay as they are. */
export const svg = ({ raw }: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  String.raw({ raw }, ...values.map((value) => (typeof value === 'number' ? value.toFixed(1) : value)));
