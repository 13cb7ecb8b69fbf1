import type { ReactNode } from 'react';

interface ChoiceFieldProps<Value extends string> {
  label: string;
  name?: string | undefined;
  value: Value;
  choices: readonly (readonly [value: Value, label: string])[];
  onChange: (value: Value) => void;
  hint?: ReactNode;
  /** The mistake of the field. */
  mistake?: string | undefined;
}

/** One of a few: the browser's own list, which telephones show best. */
export function ChoiceField<Value extends string>({
  label,
  name,
  value,
  choices,
  onChange,
  hint,
  mistake,
}: ChoiceFieldProps<Value>) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select
        value={value}
        name={name}
        aria-invalid={mistake !== undefined}
        // The change event after it is too late. A form that notes at this event that something was typed is
        // drawn again between the two, which would put the old choice back.
        onInput={({ currentTarget }) => {
          const chosen = choices.find(([one]) => one === currentTarget.value);
          if (chosen) onChange(chosen[0]);
        }}
        // React requires a handler.
        onChange={() => {}}
      >
        {choices.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      {hint && <span className="hint">{hint}</span>}
      {mistake && <span className="mistake">{mistake}</span>}
    </label>
  );
}
