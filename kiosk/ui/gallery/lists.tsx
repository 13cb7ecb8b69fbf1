import { useState } from 'react';
import { Select } from '../src/select.tsx';
import type { Option, SearchOptions } from '../src/select-search.ts';
import { Part } from './part.tsx';

const CARS: Option[] = Array.from({ length: 10_000 }, (_, at) => ({ value: `${at}`, text: `Car ${at}` }));

const WORDS = {
  label: 'Search cars',
  loading: 'Searching …',
  none: 'Nothing found.',
  failed: 'The search failed. Try again.',
};

/** Searches like a server: "wait" is never answered, "fail" is refused. */
const searchCars: SearchOptions = async (text) => {
  document.documentElement.dataset['searches'] += `[${text}]`;
  if (text === 'wait') await new Promise(() => undefined);
  if (text === 'fail') throw new Error('refused');
  return CARS.filter((car) => car.text.includes(text)).slice(0, 50);
};
const SEARCH = { load: searchCars, words: WORDS };

export function Lists() {
  return (
    <Part title="Lists">
      <div className="lists">
        <List label="Nothing chosen" options={CARS.slice(0, 3)} first={[]} />
        <List label="One chosen" options={CARS} first={['5000']} />
        <List
          label="At most three"
          options={CARS.slice(0, 24)}
          first={['1', '2']}
          maxValues={3}
          hint="Up to three"
        />
        <List label="From a server" options={CARS.slice(7, 8)} first={['7']} search={SEARCH} />
      </div>
    </Part>
  );
}

interface ListProps {
  label: string;
  options: readonly Option[];
  first: readonly string[];
  maxValues?: number;
  hint?: string;
  search?: typeof SEARCH;
}

function List({ first, options, ...rest }: ListProps) {
  const [values, setValues] = useState(first);
  const [chosen, setChosen] = useState(options);
  return (
    <Select
      {...rest}
      placeholder="Choose"
      options={rest.search ? chosen : options}
      values={values}
      onChange={(next, nextOptions) => {
        setValues(next);
        setChosen(nextOptions);
      }}
    />
  );
}
