import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { wire } from './wire.svelte';

wire.connect();
mount(App, { target: document.body });
