<?php

use App\Http\Controllers\RegisterController;
use Illuminate\Support\Facades\Route;

Route::view('/register', 'register');
Route::post('/register', [RegisterController::class, 'store']);
Route::view('/register-by-rule', 'register');
Route::post('/register-by-rule', [RegisterController::class, 'storeByRule']);
Route::get('/welcome', fn () => 'Welcome.');
