/** Where rows of one collection hold a text that the vault has sealed. */
export interface SealedField {
  collection: string;
  field: string;
  /** What the vault is told of whose it is, by the row's id. */
  contextOf(id: string): string;
}
