/** Starts the page: styles first, so that nothing is painted without them, then the app. */
import { mount } from 'svelte';
import './ui/theme.css';
import './ui/base.css';
import App from './ui/App.svelte';

mount(App, { target: document.getElementById('app')! });
