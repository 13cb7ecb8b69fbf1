import { expect, it } from 'vitest';
import { type KeyInput, mayType } from './key-policy.ts';

const PLAIN: KeyInput = { type: 'keyDown', key: 'a', control: false, alt: false, meta: false, shift: false };

it.each([
  ['Þ', { key: 'Þ', shift: true }],
  ['a space', { key: ' ' }],
  ['a letter of two UTF-16 units', { key: '𝒶' }],
  ['Tab', { key: 'Tab' }],
  ['shift and Tab', { key: 'Tab', shift: true }],
  ['Enter', { key: 'Enter' }],
  ['Backspace', { key: 'Backspace' }],
  ['an arrow', { key: 'ArrowLeft' }],
  ['AltGr itself', { key: 'AltGraph', control: true, alt: true }],
  ['@ by AltGr', { key: '@', control: true, alt: true }],
  ['an accent', { key: 'Dead' }],
])('lets through %s', (_name, input) => {
  expect(mayType({ ...PLAIN, ...input })).toBe(true);
});

it.each([
  ['reload', { key: 'r', control: true }],
  ['reload', { key: 'F5' }],
  ['zoom', { key: '+', control: true }],
  ['zoom', { key: '0', control: true }],
  ['developer tools', { key: 'I', control: true, shift: true }],
  ['developer tools', { key: 'F12' }],
  ['print', { key: 'p', control: true }],
  ['find', { key: 'f', control: true }],
  ['close', { key: 'F4', alt: true }],
  ['quit', { key: 'q', meta: true }],
  ['back', { key: 'ArrowLeft', alt: true }],
  ['back', { key: 'BrowserBack' }],
  ['full screen', { key: 'F11' }],
  ['the menu', { key: 'Alt', alt: true }],
  ['the menu', { key: 'ContextMenu' }],
  ['consoles of the system', { key: 'F1', control: true, alt: true }],
  ['paste', { key: 'v', control: true }],
  ['whatever has no name', { key: 'Unidentified' }],
])('keeps away %s', (_name, input) => {
  expect(mayType({ ...PLAIN, ...input })).toBe(false);
});
