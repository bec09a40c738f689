import { mount } from 'svelte';
import App from './App.svelte';
import Gallery from './Gallery.svelte';
import './app.css';
import { wire } from './wire.svelte';

// The server says in the page which one it is.
const { page } = document.body.dataset;
if (page === 'open') {
  mount(Gallery, { target: document.body });
} else if (page === 'show') {
  void import('./show/Lanes.svelte').then(({ default: Lanes }) => mount(Lanes, { target: document.body }));
} else {
  wire.connect();
  mount(App, { target: document.body });
}
