import type { PriceLine } from '@hlid/protocol/tariff/price-line';
import { priceTexts } from '@hlid/protocol/words/price/price-texts';
import { PlateSign } from '../src/plate-sign.tsx';
import { PriceLines } from '../src/price-lines.tsx';
import { Part } from './part.tsx';

const LETTERS = 'Ð Þ Æ Ö Á É Í Ó Ú Ý ð þ æ ö á é í ó ú ý Ł Ż ł ż Ü Ñ Ø Å ß';
const ROLES = ['accent', 'positive', 'caution', 'negative'] as const;

export function Colours() {
  return (
    <Part title="Colours">
      {['surface', 'raised', 'sunken'].map((ground) => (
        <div key={ground} className={`ground ${ground} row`}>
          <span>Text on {ground}</span>
          <span style={{ color: 'var(--muted)' }}>Muted</span>
          {ROLES.map((role) => (
            <span key={role} style={{ color: `var(--${role})` }}>
              {role}
            </span>
          ))}
          {ROLES.map((role) => (
            <span
              key={role}
              className="tone"
              style={{ color: `var(--${role})`, background: `var(--${role}-soft)` }}
            >
              {role}
            </span>
          ))}
          <span className="tone" style={{ color: 'var(--on-accent)', background: 'var(--accent)' }}>
            On accent
          </span>
          <span className="tone" style={{ color: 'var(--accent-strong)', background: 'var(--accent-soft)' }}>
            Strong accent
          </span>
        </div>
      ))}
    </Part>
  );
}

export function TypeScale() {
  return (
    <Part title="Type">
      <div className="scale">
        {['small', 'body', 'large', 'title', 'huge'].map((size) => (
          <p key={size} style={{ fontSize: `var(--${size})` }}>
            {size} <strong>strong</strong> <span className="letters">{LETTERS}</span>
          </p>
        ))}
      </div>
      <p className="figures">1111111111</p>
      <p className="figures">8888888888</p>
    </Part>
  );
}

export function Buttons() {
  return (
    <Part title="Buttons">
      <div className="row">
        <button type="button" className="button">
          Normal
        </button>
        <button type="button" className="button primary">
          Primary
        </button>
        <button type="button" className="button quiet">
          Quiet
        </button>
        <button type="button" className="button" aria-pressed="true">
          Pressed
        </button>
        <button type="button" className="button" disabled>
          Disabled
        </button>
        <button type="button" className="button primary" disabled>
          Disabled
        </button>
      </div>
    </Part>
  );
}

export function Plates() {
  return (
    <Part title="Plates">
      <div className="row">
        <PlateSign plate="MKJ45" />
        <PlateSign plate="ÞÆÖ12" country="IS" />
        <PlateSign
          plate="B0O81"
          country="D"
          doubtful={{ places: [1, 2], text: 'The letters 0 and O are doubtful.' }}
        />
        <PlateSign plate="MK•••" />
        <PlateSign plate={null} unread="No plate" />
        <PlateSign plate="PRIVATEPLATE1234" country="PL" large />
      </div>
    </Part>
  );
}

const LINES: PriceLine[] = [
  { rule: 'free', units: 15, amountMinor: 0 },
  { rule: 'step', units: 3, minutes: 60, unitMinor: 400, amountMinor: 1200 },
  {
    rule: 'step',
    units: 1,
    minutes: 60,
    unitMinor: 250,
    amountMinor: 250,
    label: { is: 'Kvöldgjald eftir klukkan átján', en: 'Evening rate after 18:00' },
  },
];

export function Prices() {
  const lists = { 'What it costs': LINES, 'A long price': Array.from({ length: 6 }, () => LINES).flat() };
  return (
    <Part title="Prices">
      {Object.entries(lists).map(([label, lines]) => (
        <div key={label} className="ground raised">
          <PriceLines
            label={label}
            lines={lines}
            currency="ISK"
            language="en"
            words={priceTexts('en')}
            maxWithoutScrolling={4}
          />
        </div>
      ))}
    </Part>
  );
}
