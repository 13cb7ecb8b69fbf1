import { formatRate } from '@hlid/protocol/base/money';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '../../shell/room-address.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { Money, moneyText } from '../../ui/money.tsx';
import { vatText } from '../../ui/vat-fields.tsx';
import { LANGUAGE } from '../../words/words.ts';
import { INVOICE } from './invoice-words.ts';
import { type InvoiceWithLines, moneyOf } from './money-calls.ts';
import { MONEY } from './money-words.ts';
import '../../ui/plain-table.css';

/** A collective invoice may have thousands. */
const LINES_AT_FIRST = 50;

/** What an invoice charges for, line by line. */
export function InvoiceLines({ invoice: { lines, price } }: { invoice: InvoiceWithLines }) {
  const addressOf = useAddress();
  const [isWhole, setWhole] = useState(lines.length <= LINES_AT_FIRST);
  const shown = isWhole ? lines : lines.slice(0, LINES_AT_FIRST);
  const { currency } = price;
  return (
    <section className="card">
      <h2 id="lines">{INVOICE.lines}</h2>
      <table className="plain-table" aria-labelledby="lines">
        <thead>
          <tr>
            <th scope="col">{INVOICE.line}</th>
            <th scope="col">{MONEY.plate}</th>
            <th scope="col" className="number">
              {INVOICE.vatRate}
            </th>
            <th scope="col" className="number">
              {MONEY.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ rule, units, plate, visitId, vatRate, vatCategory, vatReason, amount }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place, and do not change
            <tr key={place}>
              <td>
                {INVOICE.rules[rule]}
                {units > 1 && ` × ${units}`}
              </td>
              <td>
                {visitId === null ? (
                  (plate ?? '')
                ) : (
                  <Link to={addressOf(`visits/${visitId}`)}>{plate ?? MONEY.noPlate}</Link>
                )}
              </td>
              <td className="number">
                {vatText({ category: vatCategory, rate: formatRate(vatRate, LANGUAGE), reason: vatReason })}
              </td>
              <td className="number">
                <Money amountMinor={amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {INVOICE.total}
            </th>
            <td className="number">
              <Money {...moneyOf(price)} />
            </td>
          </tr>
        </tfoot>
      </table>
      {!isWhole && (
        <Button onPress={() => setWhole(true)}>{INVOICE.moreLines({ count: lines.length })}</Button>
      )}
    </section>
  );
}

/** The VAT of an invoice, by category and rate. */
export function InvoiceVat({ invoice: { vat, price } }: { invoice: InvoiceWithLines }) {
  return (
    <section className="card">
      <h2>{INVOICE.vatTitle}</h2>
      <Details
        rows={vat.map(({ category, rate, reasons, net, vat: part }) => [
          vatText({
            category,
            rate: INVOICE.vatOf({ rate: formatRate(rate, LANGUAGE) }),
            reason: reasons.join(', '),
          }),
          `${moneyText({ amountMinor: part, currency: price.currency })} (${INVOICE.net}: ${moneyText({
            amountMinor: net,
            currency: price.currency,
          })})`,
        ])}
      />
    </section>
  );
}
