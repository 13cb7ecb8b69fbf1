import type { ReactNode } from 'react';
import { COMMON } from '../words/common.ts';
import { wordsOf } from '../words/words.ts';

const WORDS = wordsOf('conflict');

export interface ConflictField {
  name: string;
  before: ReactNode;
  theirs: ReactNode;
  yours: ReactNode;
}

/**
 * Another person's change that was saved while this person typed (412), field by field. What was typed stays
 * in the form.
 */
export function Conflict({ fields }: { fields: readonly ConflictField[] }) {
  return (
    <div className="notice caution conflict" role="alert">
      <p>{COMMON.changedMeanwhile}</p>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{WORDS.before}</th>
            <th scope="col">{WORDS.theirs}</th>
            <th scope="col">{WORDS.yours}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, before, theirs, yours }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{before}</td>
              <td>{theirs}</td>
              <td>{yours}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
