import { ChoiceField as PlainChoiceField } from '@hlid/ui/choice-field';
import type { ReactNode } from 'react';
import {
  TextField as AriaTextField,
  Checkbox,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  type TextFieldProps,
} from 'react-aria-components';
import { useMistake } from './mistakes.tsx';

export interface Described {
  label: string;
  hint?: ReactNode;
  /**
   * The mistake of the field. A field with the name of its place in the input shows that of the cloud by
   * itself.
   */
  mistake?: string | undefined;
}

/** A mistake of the cloud must not keep the browser from sending the form again. */
export function asSaid(mistake: string | undefined) {
  return mistake === undefined ? {} : { isInvalid: true, validationBehavior: 'aria' as const };
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
  const said = useMistake(props.name) ?? mistake;
  return (
    <AriaTextField {...props} {...asSaid(said)} className="field">
      <Label>{label}</Label>
      {rows === undefined ? (
        <Input {...(placeholder !== undefined && { placeholder })} />
      ) : (
        <TextArea rows={rows} {...(placeholder !== undefined && { placeholder })} />
      )}
      <Notes hint={hint} mistake={said} />
    </AriaTextField>
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

/** One of a few choices, with the cloud's description of it. */
export function ChoiceField<Value extends string>({
  mistake,
  ...props
}: Parameters<typeof PlainChoiceField<Value>>[0]) {
  return <PlainChoiceField {...props} mistake={useMistake(props.name) ?? mistake} />;
}

export function Notes({ hint, mistake }: Pick<Described, 'hint' | 'mistake'>) {
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
