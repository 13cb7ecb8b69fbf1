import { type InputHTMLAttributes, useId } from 'react';
import { Icon } from './icon.tsx';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: string;
  hint?: string | undefined;
  mistake?: string | undefined;
  /** A mark at the end of the label, such as the brand of a card. */
  mark?: string | undefined;
  onText: (text: string) => void;
}

/** A field with its label above, and what is wrong below. */
export function TextField({ label, hint, mistake, mark, onText, className = '', ...input }: TextFieldProps) {
  const id = useId();
  const below = mistake ?? hint;
  return (
    <div className={`field ${className}`}>
      <span className="field-head">
        <label htmlFor={id}>{label}</label>
        {mark !== undefined && <span className="field-mark">{mark}</span>}
      </span>
      <span className="input">
        <input
          {...input}
          id={id}
          aria-invalid={mistake !== undefined}
          aria-describedby={below === undefined ? undefined : `${id}-below`}
          onChange={({ target }) => onText(target.value)}
        />
      </span>
      {below !== undefined && (
        <p id={`${id}-below`} className={mistake === undefined ? 'hint' : 'mistake'}>
          {mistake !== undefined && <Icon name="alert" />}
          {below}
        </p>
      )}
    </div>
  );
}
