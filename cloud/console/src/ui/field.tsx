import type { ReactNode } from 'react';
import {
  NumberField as AriaNumberField,
  TextField as AriaTextField,
  Checkbox,
  FieldError,
  Input,
  Label,
  type NumberFieldProps,
  Text,
  TextArea,
  type TextFieldProps,
} from 'react-aria-components';

interface Described {
  label: string;
  hint?: ReactNode;
  /** What the cloud says is wrong with it. */
  mistake?: string | undefined;
}

/** A line of text, or several (`rows`). */
export function TextField({
  label,
  hint,
  mistake,
  rows,
  placeholder,
  ...props
}: Omit<TextFieldProps, 'children' | 'className'> &
  Described & { rows?: number; placeholder?: string | undefined }) {
  return (
    <AriaTextField {...props} isInvalid={mistake !== undefined} className="field">
      <Label>{label}</Label>
      {rows === undefined ? (
        <Input {...(placeholder !== undefined && { placeholder })} />
      ) : (
        <TextArea rows={rows} {...(placeholder !== undefined && { placeholder })} />
      )}
      <Notes hint={hint} mistake={mistake} />
    </AriaTextField>
  );
}

export function NumberField({
  label,
  hint,
  mistake,
  ...props
}: Omit<NumberFieldProps, 'children' | 'className'> & Described) {
  return (
    <AriaNumberField {...props} isInvalid={mistake !== undefined} className="field">
      <Label>{label}</Label>
      <Input />
      <Notes hint={hint} mistake={mistake} />
    </AriaNumberField>
  );
}

export function CheckField({
  label,
  isSelected,
  onChange,
  isDisabled = false,
}: {
  label: ReactNode;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}) {
  return (
    <Checkbox className="check" isSelected={isSelected} onChange={onChange} isDisabled={isDisabled}>
      <span className="box" aria-hidden="true" />
      {label}
    </Checkbox>
  );
}

/** One of a few: the browser's own list, which telephones show best. */
export function ChoiceField<Value extends string>({
  label,
  value,
  choices,
  onChange,
  hint,
  mistake,
}: Described & {
  value: Value;
  choices: readonly (readonly [value: Value, label: string])[];
  onChange: (value: Value) => void;
}) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select
        value={value}
        aria-invalid={mistake !== undefined}
        onChange={({ target }) => {
          const chosen = choices.find(([one]) => one === target.value);
          if (chosen) onChange(chosen[0]);
        }}
      >
        {choices.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
      {hint && <span className="hint">{hint}</span>}
      {mistake && <span className="mistake">{mistake}</span>}
    </label>
  );
}

function Notes({ hint, mistake }: Pick<Described, 'hint' | 'mistake'>) {
  return (
    <>
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="mistake">{mistake}</FieldError>
    </>
  );
}
