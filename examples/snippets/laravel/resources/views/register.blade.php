<!doctype html>
<title>Sign up</title>
<h1>Sign up</h1>
<form method="post">
  @csrf
  <label for="email">Email</label>
  <input id="email" name="email" type="email" value="{{ old('email') }}">
  @error('email') <p>{{ $message }}</p> @enderror
  <label for="password">Password</label>
  <input id="password" name="password" type="password">
  @error('password') <p>{{ $message }}</p> @enderror
  @include('gatehouse::challenge')
  <button>Create account</button>
</form>
