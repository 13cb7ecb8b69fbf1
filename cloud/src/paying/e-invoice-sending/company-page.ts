import { LANGUAGES, type Language } from '@hlid/protocol/base/language';
import { TRAINING_DOCUMENT } from '@hlid/protocol/words/training-mark/training-document';
import { html } from 'hono/html';
import { type Html, paperPage } from '../../platform/http/paper-page.ts';
import { RECEIPT_WORDS } from '../receipts/receipt-words.ts';

type CompanyWords = (typeof RECEIPT_WORDS)[Language]['company'];

/** How a try to send the receipt ended. */
export type CompanyAnswer =
  | { kind: 'sent'; name: string }
  | { kind: 'refused'; why: 'wrong' | 'sentBefore' | 'off'; name: string; ssn: string; email: string };

interface CompanyPage {
  language: Language;
  /** Leads back to the receipt, from the page's own address. */
  back: string;
  isTraining: boolean;
  /** Null: nothing was sent yet. */
  answer: CompanyAnswer | null;
}

/** The form by which a driver sends the receipt to the own company, and what became of it. It needs no script. */
export function companyPage({ language, back, isTraining, answer }: CompanyPage): Html {
  const words = RECEIPT_WORDS[language].company;
  const backLink = html`<p><a class="language" href="${back}?lang=${language}">${words.back}</a></p>`;
  return paperPage(
    language,
    {
      title: words.title,
      mark: isTraining ? TRAINING_DOCUMENT[language] : null,
      heading: words.title,
      print: null,
      languages: { name: RECEIPT_WORDS[language].languages, all: LANGUAGES },
    },
    answer?.kind === 'sent'
      ? html`<p class="standing paid" role="status">${words.sent({ name: answer.name })}</p>${backLink}`
      : html`${answer === null ? '' : html`<p class="standing not-paid" role="alert">${words[answer.why]}</p>`}
        ${form(words, language, answer)}${backLink}`,
  );
}

function form(
  words: CompanyWords,
  language: Language,
  typed: { name: string; ssn: string; email: string } | null,
): Html {
  return html`<form method="post" action="?lang=${language}">
    <label for="name">${words.name}</label>
    <input id="name" name="name" autocomplete="organization" maxlength="100" required value="${typed?.name ?? ''}">
    <label for="ssn">${words.ssn}</label>
    <input id="ssn" name="ssn" inputmode="numeric" autocomplete="off" maxlength="20" required aria-describedby="hint" value="${typed?.ssn ?? ''}">
    <p id="hint" class="hint">${words.hint}</p>
    <label for="email">${words.email}</label>
    <input id="email" name="email" type="email" autocomplete="email" maxlength="254" aria-describedby="email-hint" value="${typed?.email ?? ''}">
    <p id="email-hint" class="hint">${words.emailHint}</p>
    <button type="submit">${words.send}</button>
  </form>`;
}
