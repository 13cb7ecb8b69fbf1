import { policyHash } from '@hlid/node/digest';
import { TYPEFACE_RULES } from './typeface.ts';

/**
 * The style of receipts, invoices and short forms: one column, as on paper; contrasts of 4.5 to 1 and more,
 * in the dark too.
 */
export const RECEIPT_STYLE = `
${TYPEFACE_RULES}
:root{color-scheme:light dark;--paper:#fff;--ground:#eef1f4;--ink:#14202b;--soft:#4a5a68;--rule:#d5dce2;--good:#0b6b3a;--warn:#8a4b00;--link:#0b5cad}
@media (prefers-color-scheme:dark){:root{--paper:#18222c;--ground:#0d141a;--ink:#eef3f7;--soft:#b3c0cb;--rule:#344350;--good:#6fd6a0;--warn:#ffc37a;--link:#8cc4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:30rem;margin:0 auto;padding:1.5rem 1.25rem 2.5rem;background:var(--paper);min-height:100vh}
@media (min-width:32rem){main{min-height:0;margin:2rem auto;border-radius:.75rem;box-shadow:0 1px 4px rgb(0 0 0/.15)}}
.training{margin:0 0 1rem;padding:.5rem .75rem;border:3px dashed var(--warn);color:var(--warn);text-align:center}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem}
h1{flex:1 1 8rem;font-size:1.25rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
.logo{max-width:40%;max-height:3rem}
.mark{width:2.5rem;height:2.5rem;flex:none}
.mark rect{fill:#0b4f82}
.mark .post{fill:#fff}
.mark path{fill:none;stroke:#fff;stroke-width:3.5;stroke-linecap:round}
.code{display:none}
.qr svg{display:block;width:9rem;height:9rem}
.file a{display:inline-block;padding:.75rem 0;min-height:44px}
.print{min-height:44px;padding:0 1rem;border:2px solid var(--link);border-radius:.5rem;background:none;color:var(--link);font:inherit;font-weight:600;cursor:pointer}
.languages{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin-top:1.5rem;border-top:1px solid var(--rule)}
.language[aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
a{color:var(--link)}
.language{display:inline-block;padding:.75rem 0;min-height:44px}
.standing{margin:1rem 0 0;font-weight:600;color:var(--good)}
.standing.checking,.standing.not-paid,.standing.refunded{color:var(--warn)}
.amount{margin:0 0 1.25rem;font-size:2.5rem;font-weight:700;line-height:1.2;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:auto 1fr;gap:.4rem 1rem;margin:0 0 1.25rem;padding:1rem 0;border:solid var(--rule);border-width:1px 0}
dl:has(+.languages){margin:0;border-bottom:0}
dt{color:var(--soft)}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse}
caption,.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.4rem 0;text-align:left;font-weight:400;vertical-align:top}
th{overflow-wrap:anywhere}
td{text-align:right;white-space:nowrap;padding-left:1rem;font-variant-numeric:tabular-nums}
th small{display:block;color:var(--soft);font-size:.875rem}
.total th,.total td{border-top:2px solid var(--ink);font-weight:700;padding-top:.75rem}
.vat th,.vat td{color:var(--soft);font-size:.875rem}
main>form{display:grid;gap:.5rem;margin-top:1rem}
main>form label{font-weight:600}
main>form input{width:100%;min-height:44px;padding:.5rem .75rem;border:1px solid var(--soft);border-radius:.5rem;background:var(--paper);color:inherit;font:inherit}
main>form .hint{margin:0;color:var(--soft);font-size:.875rem}
main>form button,.act{display:inline-block;justify-self:start;min-height:44px;margin-top:.5rem;padding:.6rem 1.25rem;border:0;border-radius:.5rem;background:var(--link);color:var(--paper);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
@media print{:root{--paper:#fff;--ground:#fff;--ink:#000;--soft:#333;--rule:#999;--good:#000;--warn:#000}main{box-shadow:none;margin:0;max-width:none;padding:0}header .mark rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}.languages,.print,.file{display:none}.code{display:flex;align-items:center;gap:1rem;margin:1.5rem 0 0;font-size:.8rem;overflow-wrap:anywhere;break-inside:avoid}.code svg{width:28mm;height:28mm;flex:none}}
`;

/** Paper, or a file, by the browser's own print dialog; without scripts there is no button for it. */
export const PRINT_SCRIPT = `
const button=document.querySelector('.print');button.hidden=false;button.addEventListener('click',()=>print());
`;

/**
 * The content policy of a page: only its own style, and no fetches. @param formAction where its form may go
 */
function policy(formAction: "'none'" | "'self'", ...more: string[]): string {
  return [
    "default-src 'none'",
    `style-src ${policyHash(RECEIPT_STYLE)}`,
    "font-src 'self'",
    ...more,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

export const RECEIPT_POLICY = policy("'none'", `script-src ${policyHash(PRINT_SCRIPT)}`, 'img-src data:');
export const FORM_POLICY = policy("'self'");
