type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields of an edit that are there: spread over what was, they change it and leave the rest. */
export function omitUndefined<Fields extends object>(edit: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)) as Given<Fields>;
}
