import { mount } from 'svelte';
import App from './App.svelte';
import Gallery from './Gallery.svelte';
import './app.css';
import { wire } from './wire.svelte';

// The server says in the page which one it is.
if (document.body.dataset.page === 'open') {
  mount(Gallery, { target: document.body });
} else {
  wire.connect();
  mount(App, { target: document.body });
}
